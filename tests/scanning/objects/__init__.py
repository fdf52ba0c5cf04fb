"""Small cubins and fat binaries made of our own PTX, and what nvdisasm printed of them (``make.py``)."""
