# answer: per_fork
# wrong: JMH's score has the start and the end of a shot in it
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"][warmup:]
    wall = sum(fork["jmh"]["primaryMetric"]["rawData"][0][warmup:])
    events = sum(shot["events"] for shot in shots)
    cpu = sum(shot["userNs"] + shot["sysNs"] for shot in shots)
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {"ns": wall / events, "cores": cpu / wall, "sleeps": sleeps / events}
