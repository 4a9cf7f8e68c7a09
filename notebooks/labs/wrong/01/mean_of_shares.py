# answer: per_fork
# wrong: the mean of each shot's CPU share, where all CPU time over all wall time was asked
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"][warmup:]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {
        "ns": wall / events,
        "cores": sum((shot["userNs"] + shot["sysNs"]) / shot["wallNs"] for shot in shots)
        / len(shots),
        "sleeps": sleeps / events,
    }
