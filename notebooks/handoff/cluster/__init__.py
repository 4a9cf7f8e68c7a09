"""The same sweep on more machines than one, which Dask starts: nodes measure, this machine keeps.

driver   reads the cluster's file, plans on the first node, gives out blocks, keeps what comes back
node     runs the ordinary runner on one block of the sweep, in a scratch folder of its own
"""
