# answer: per_fork
# wrong: sleeps a shot, not an event
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"][warmup:]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    cpu = sum(shot["userNs"] + shot["sysNs"] for shot in shots)
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {"ns": wall / events, "cores": cpu / wall, "sleeps": sleeps / len(shots)}
