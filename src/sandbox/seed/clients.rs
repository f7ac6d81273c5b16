//! The first account's 60 clients and their sites.

use super::{DAY, HOUR, START};
use crate::sandbox::filter::fold_case;
use rusqlite::Transaction;

/// First name, last name, email, company, address, note, numbers of the sites.
type ClientSeed = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [i64],
);

#[rustfmt::skip]
const CLIENT_SEEDS: [ClientSeed; 60] = [
    ("Amara", "Okafor", "amara.okafor@okafor-interiors.example", "Okafor Interiors",
     "14 Marina Road, Lagos", "Prefers calls in the morning.", &[1, 2]),
    ("Liam", "O'Connor", "liam@oconnor-sons.example", "O'Connor & Sons",
     "3 Quay Street, Galway", "", &[3]),
    ("Søren", "Ångström", "soren@angstrom.example", "Ångström Teknik AB",
     "Storgatan 9, Uppsala", "Invoice each quarter.", &[4, 5]),
    ("美咲", "田中", "misaki.tanaka@hanabi.example", "花火デザイン株式会社",
     "東京都渋谷区神南1-2-3", "平日午後に連絡", &[6]),
    ("José", "Núñez", "jose.nunez@nunez-abogados.example", "Núñez Abogados",
     "Calle Mayor 21, Madrid", "", &[]),
    ("Zoë", "van den Berg", "zoe@bergfietsen.example", "Berg Fietsen",
     "Prinsengracht 102\nAmsterdam", "Two shops, one site.", &[7]),
    ("Priya", "Raghunathan", "priya@saffronkitchen.example", "Saffron Kitchen",
     "8 Brigade Road, Bengaluru", "", &[8]),
    ("Владимир", "Соколов", "v.sokolov@sokol-print.example", "Сокол Принт",
     "", "Пишет по-русски и по-английски.", &[]),
    ("Chloé", "Lefèvre", "chloe@atelier-lefevre.example", "Atelier Lefèvre",
     "12 rue des Lilas, Lyon", "", &[9, 10, 11]),
    ("Mateusz", "Żółkiewski", "mateusz@zolkiewski.example", "",
     "ul. Długa 5, Kraków", "", &[]),
    ("Ava", "", "ava@sunnyside.example", "Sunnyside ☀️ Yoga",
     "", "", &[12]),
    ("Noah", "Williams", "Noah.Williams@Williams-Dental.example", "Williams Dental",
     "77 Elm Avenue, Denver CO", "Backups before each release.", &[13]),
    ("فاطمة", "الزهراء", "fatima@zahra-books.example", "مكتبة الزهراء",
     "شارع الحمراء، بيروت", "", &[]),
    ("Giulia", "D'Angelo", "giulia@dangelo-vini.example", "D'Angelo Vini",
     "Via Roma 44, Siena", "Harvest in September: no changes then.", &[14]),
    ("Hans", "Müller", "hans@mueller-orgelbau.example", "Müller Orgelbau GmbH",
     "Hauptstraße 1, Füssen", "", &[]),
    ("Ingrid", "Straße", "ingrid@strasse.example", "Straße & Weg",
     "Am Ring 7, Köln", "", &[15]),
    ("Duc", "Nguyễn", "duc.nguyen@phohouse.example", "Phở House",
     "25 Hàng Bông, Hà Nội", "", &[16]),
    ("Emily", "Smith-Jones", "emily@smithjones.example", "Smith-Jones Events",
     "9 Park Lane, Leeds", "New logo in spring.", &[]),
    ("Oluwaseun", "Adeyemi", "seun@adeyemi.example", "Adeyemi Logistics",
     "", "", &[17]),
    ("Anna", "Kowalska", "anna.kowalska@kwiaty.example", "Kwiaty Anny",
     "Rynek 3, Wrocław", "", &[]),
    ("Anna", "Kowalska", "anna@kowalska-foto.example", "Kowalska Foto",
     "Rynek 3, Wrocław", "Not the florist.", &[18]),
    ("Carlos", "Mendoza", "carlos@mendoza-surf.example", "Mendoza Surf 🏄",
     "Playa Norte 2, Mazatlán", "", &[]),
    ("Aylin", "Yıldız", "aylin@yildiz.example", "Yıldız Seramik",
     "İstiklal Caddesi 50, İstanbul", "", &[19]),
    ("Ιωάννης", "Παπαδόπουλος", "ioannis@papadopoulos.example", "Ελιές Παπαδόπουλος",
     "Οδός Ερμού 10, Αθήνα", "", &[]),
    ("Grace", "Kim", "grace.kim@hanok-stay.example", "한옥 스테이",
     "서울특별시 종로구 북촌로 11", "", &[20]),
    ("Peter", "100%", "peter@hundredpercent.example", "100% Cotton",
     "", "The company name has a per cent sign.", &[]),
    ("Under", "Score", "under_score@snake-case.example", "snake_case Software",
     "", "", &[21]),
    ("Fiona", "MacLeod", "fiona@macleod-wool.example", "MacLeod Wool",
     "1 Harbour, Stornoway", "", &[]),
    ("Thabo", "Mokoena", "thabo@mokoena-safaris.example", "Mokoena Safaris",
     "12 Kruger Street, Nelspruit", "Two time zones: check before calling.", &[22, 23]),
    ("Lena", "Weiß", "lena@weiss-optik.example", "Weiß Optik",
     "Marktplatz 4, Ulm", "", &[]),
    ("Björk", "Jónsdóttir", "bjork@eldfjall.example", "Eldfjall ehf.",
     "Laugavegur 20, Reykjavík", "", &[24]),
    ("Rafael", "Gonçalves", "rafael@goncalves.example", "Gonçalves & Filhos",
     "Rua Augusta 300, São Paulo", "", &[]),
    ("Mei", "Chen", "mei.chen@jade-garden.example", "翡翠花園有限公司",
     "台北市大安區和平東路一段", "", &[25]),
    ("Dmytro", "Шевченко", "dmytro@shevchenko.example", "",
     "", "", &[]),
    ("Sofia", "Rossi", "sofia@rossi-moda.example", "Rossi Moda",
     "Corso Como 8, Milano", "VIP", &[26]),
    ("Jean-Luc", "Moreau", "jean-luc@moreau.example", "Boulangerie Moreau",
     "4 place du Marché, Rennes", "", &[]),
    ("Aoife", "Ní Bhriain", "aoife@nibhriain.example", "Ní Bhriain Music",
     "Dingle, Co. Kerry", "", &[27]),
    ("Tomáš", "Dvořák", "tomas@dvorak-hudba.example", "Dvořák Hudba s.r.o.",
     "Karlova 15, Praha", "", &[]),
    ("Yasmin", "Haddad", "yasmin@haddad.example", "Haddad Pharmacy",
     "Rue Monnot 6, Beirut", "", &[28]),
    ("Luka", "Horvat", "luka@horvat-boats.example", "Horvat Boats",
     "Riva 2, Split", "", &[]),
    ("Isabella", "Martínez", "isabella@martinez.example", "Martínez Cerámica",
     "", "", &[29]),
    ("Ravi", "Shankar", "ravi@shankar-strings.example", "Shankar Strings",
     "Assi Ghat, Varanasi", "", &[]),
    ("Charlotte", "Dubois", "charlotte@dubois.example", "Dubois Conseil",
     "5 avenue Foch, Lille", "", &[30]),
    ("Ollie", "\"Ace\" Turner", "ollie@turner-skate.example", "Turner Skate",
     "", "Quotes in the name, as he wants it.", &[]),
    ("Kaito", "Yamamoto", "kaito@yamamoto.example", "山本製作所",
     "大阪市北区梅田3-1", "", &[31]),
    ("Miriam", "Goldberg", "miriam@goldberg-law.example", "Goldberg, Katz & Co.",
     "30 Court Street, Brooklyn NY", "", &[]),
    ("Ján", "Kováč", "jan@kovac.example", "Kováč Drevo",
     "Hlavná 12, Košice", "", &[]),
    ("Leilani", "Kahananui", "leilani@aloha-tours.example", "Aloha Tours",
     "Kalākaua Avenue 100, Honolulu", "", &[]),
    ("Samuel", "Mbeki", "samuel@mbeki.example", "",
     "", "", &[]),
    ("Hélène", "Ouédraogo", "helene@karite.example", "Karité Bio",
     "Ouagadougou", "", &[]),
    ("Arjun", "Singh", "arjun@singh-transport.example", "Singh Transport",
     "GT Road 88, Amritsar", "", &[]),
    ("Natália", "Ferreira", "natalia@ferreira.example", "Ferreira Têxtil",
     "Rua do Ouro 7, Porto", "", &[]),
    ("Viktor", "Lindqvist", "viktor@lindqvist.example", "Lindqvist Möbler",
     "Kungsgatan 3, Malmö", "Moved in 2025; old address on file.", &[]),
    ("Thu", "Trần", "thu.tran@lotusspa.example", "Lotus Spa",
     "", "", &[]),
    ("Oscar", "Wilde", "oscar@earnest-books.example", "Earnest Books",
     "16 Tite Street, London", "", &[]),
    ("Nadia", "Bensaïd", "nadia@bensaid.example", "Bensaïd Tapis",
     "Souk Semmarine, Marrakech", "", &[]),
    ("Elif", "Demir", "elif@demir.example", "Demir Çelik",
     "", "", &[]),
    ("Marek", "Nowak", "marek+sites@nowak.example", "Nowak IT",
     "", "Plus addressing works.", &[]),
    ("Quentin", "Very-Long-Surname-That-Does-Not-Fit-In-Any-Narrow-Column",
     "quentin@long-names.example",
     "The Company With A Name That Is Rather Longer Than Most Tables Like",
     "", "", &[]),
    ("李", "", "li@single-name.example", "",
     "", "", &[]),
];

pub(super) fn insert_clients(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO clients (account, id, first_name, last_name, email, email_key,
                                    company_name, address, note, created_at, updated_at)
               VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let mut insert = db.prepare(sql)?;
    for (index, seed) in (0..).zip(CLIENT_SEEDS) {
        let (first_name, last_name, email, company_name, address, note, _) = seed;
        let created_at = match index % 7 {
            // The same time as the client before it, like after an import.
            6 => START + (index - 1) * 11 * DAY,
            5 => START + index * 11 * DAY,
            _ => START + index * 11 * DAY + index % 4 * HOUR,
        };
        let updated_at = created_at + index % 6 * (DAY + HOUR);
        insert.execute((
            client_id(index),
            first_name,
            last_name,
            email,
            fold_case(email),
            company_name,
            address,
            note,
            created_at,
            updated_at,
        ))?;
    }
    Ok(())
}

/// Returns the id of a site's client.
pub(super) fn client_of_site(site: i64) -> Option<String> {
    let mut seeds = (0..).zip(CLIENT_SEEDS);
    let (index, _) = seeds.find(|(_, (.., sites))| sites.contains(&site))?;
    Some(client_id(index))
}

fn client_id(index: i64) -> String {
    format!("client-{:04}", index + 1)
}
