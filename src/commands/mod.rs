pub(crate) mod sandbox;
