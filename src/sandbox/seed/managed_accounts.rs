//! The twelve managed accounts: every role with every status, with and without access to all sites.

use super::{DAY, HOUR, START};
use rusqlite::Transaction;

struct Seed(&'static str, &'static str, &'static str, &'static str, bool);

#[rustfmt::skip]
const SEEDS: [Seed; 12] = [
    Seed("hello@harbourandpine.example", "collaborator", "Harbour & Pine", "connected", true),
    Seed("it@kanzlei-brückner.example", "administrator", "Kanzlei Brückner", "connected", false),
    Seed("ops@northwind.example", "co_owner", "Northwind Traders", "connected", true),
    Seed("admin@sakura-travel.example", "collaborator", "さくら旅行社", "pending", false),
    Seed("Web.Team@Lumiere.example", "administrator", "Lumière d'Été", "pending", true),
    Seed("owner@fjordfisk.example", "co_owner", "Fjordfisk AS", "pending", false),
    Seed("studio@mosaico.example", "collaborator", "Mosaico Studio", "connected", false),
    Seed("sites@o-hara-legal.example", "administrator", "O'Hara Legal", "connected", true),
    Seed("desk@100percent.example", "co_owner", "100% Organic Ltd", "connected", false),
    Seed("press@caravel.example", "collaborator", "Caravel Press", "pending", true),
    Seed("tech@under_score.example", "administrator", "Under_Score Media", "pending", false),
    Seed("founders@blueheron.example", "co_owner", "Blue Heron Co-op", "pending", true),
];

pub(super) fn plant(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO managed_accounts (account, id, email, role, company_name, status, all_sites_access, created_at, updated_at)
               VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = db.prepare(sql)?;
    for (index, Seed(email, role, company, status, all)) in (0..).zip(SEEDS) {
        // Every third came in the same instant as the one before it.
        let created_at = START + (index - i64::from(index % 3 == 2)) * 50 * DAY;
        let updated_at = created_at + index % 5 * (DAY + HOUR);
        insert.execute((
            format!("account-{:04}", index + 1),
            email,
            role,
            company,
            status,
            all,
            created_at,
            updated_at,
        ))?;
    }
    Ok(())
}
