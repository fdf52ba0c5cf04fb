"""The front end for SASS, as nvdisasm and cuobjdump print it (sm_90a, sm_100a, sm_103a)."""
