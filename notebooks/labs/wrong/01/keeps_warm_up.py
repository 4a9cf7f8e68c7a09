# answer: per_fork
# wrong: the shots of warm-up are in the means
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    cpu = sum(shot["userNs"] + shot["sysNs"] for shot in shots)
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {"ns": wall / events, "cores": cpu / wall, "sleeps": sleeps / events}
