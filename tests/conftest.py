"""Property tests on a busy or slow machine: how long an example takes is no claim of ours, and never a failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
