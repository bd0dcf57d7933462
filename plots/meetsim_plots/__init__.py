"""Pictures of meetsim's result directories."""
