# answer: per_fork
# wrong: only the consumer's sleeps
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"][warmup:]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    cpu = sum(shot["userNs"] + shot["sysNs"] for shot in shots)
    return {
        "ns": wall / events,
        "cores": cpu / wall,
        "sleeps": sum(shot["threads"][-1]["voluntary"] for shot in shots) / events,
    }
