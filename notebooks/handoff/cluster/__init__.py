"""The same sweep on more machines than one: nodes of a cluster measure, this machine keeps.

driver   reads the cluster's file, starts a scheduler and jobs, gives forks, keeps what comes back
node     a worker on a machine of its own: plans, measures one fork at a time, sends its file
"""
