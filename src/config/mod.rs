//! Settings from flags, environment and config file. Never prompts.

mod base_url;
mod ca_cert;
pub mod digest;
pub mod duration;
pub mod edit;
mod environment;
mod file;
mod flags;
mod name_of;
mod paths;
pub mod private_files;
mod secret;
mod settings;
mod utf_8;

pub use base_url::BaseUrl;
pub use ca_cert::{CaCert, Trusted};
pub use environment::{Environment, process_user};
pub use file::{ConfigFile, Endpoints, Profile, TaskStates};
pub use flags::{Flags, OutputFormat, RecordField, positive_duration};
pub use name_of::NameOf;
pub use secret::Secret;
#[cfg(not(feature = "sandbox"))]
pub use settings::without_sandbox;
pub use settings::{
    Account, Settings, Source, Target, Token, find_base_url, omit_sandbox, output_format,
    selected_profile, use_color,
};
pub use utf_8::decode_utf_8;
