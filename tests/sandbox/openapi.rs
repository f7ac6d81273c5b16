//! The OpenAPI document: public, consistent in itself, and true of the lists' parameters.

use crate::support::Served;
use serde_json::Value;

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn it_is_public_and_every_reference_leads_somewhere() {
    let sandbox = Served::with(&["--db", ":memory:", "--rate-limit", "1"]);
    let document = sandbox.get_as("nobody", "/openapi.json").expect(200);
    assert_eq!((&document["openapi"], &document["info"]["version"]), (&"3.1.0".into(), &"6.0.0".into()));
    assert_eq!(document["servers"][0]["url"], "/api/v6");
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 50);
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn every_documented_operation_is_served() {
    let sandbox = Served::start(&[]);
    let document = sandbox.get("/openapi.json").expect(200);
    let mut operations = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let path = path
                .replace("{client_id}", "client-0001")
                .replace("{managed_account_id}", "account-0001")
                .replace("{site_id}", "site-0001")
                .replace("{snapshot_id}", "snap-0001-1");
            let reply = if method == "get" { sandbox.get(&path) } else { sandbox.post(&path, &Value::Null) };
            assert!(
                operation["responses"].get(reply.status.to_string()).is_some(),
                "{method} {path}: {}",
                reply.status
            );
            assert!(reply.status != 405 && reply.json["error"]["message"] != "Path not found.", "{method} {path}");
            operations += 1;
        }
    }
    assert_eq!(operations, 12);
}

#[test]
fn every_answer_has_the_headers_that_are_documented() {
    let sandbox = Served::with(&["--db", ":memory:", "--rate-limit", "3"]);
    let document = sandbox.get("/openapi.json").expect(200);
    let check = |reply: crate::support::Reply, status: u16| {
        let wanted = document["components"]["responses"][status.to_string()]["headers"].as_object().unwrap();
        assert_eq!(reply.status, status);
        assert!(!wanted.is_empty());
        for name in wanted.keys() {
            assert!(reply.headers.contains_key(name.as_str()), "{status} {name}");
        }
    };
    check(sandbox.get_as("nobody", "/clients"), 401);
    check(sandbox.get("/clients?page=0"), 400);
    check(sandbox.get("/clients/nobody"), 404);
    check(sandbox.get("/clients/delete/"), 404);
    check(sandbox.get("/clients"), 429);
    let sandbox = Served::start(&[]);
    check(sandbox.post("/sites", &Value::Null), 405);
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            assert_eq!(operation["responses"]["default"]["$ref"], "#/components/responses/default");
        }
    }
}

#[test]
fn every_documented_list_parameter_is_accepted() {
    let sandbox = Served::start(&[]);
    let document = sandbox.get("/openapi.json").expect(200);
    let mut tried = 0;
    for path in ["/clients", "/managed-accounts", "/sites", "/sites/{site_id}/snapshots", "/tasks"] {
        for parameter in document["paths"][path]["get"]["parameters"].as_array().unwrap() {
            if parameter["in"] == "path" {
                continue;
            }
            let schema = &parameter["schema"];
            let values: Vec<String> = match (&schema["enum"], &schema["examples"], schema["type"].as_str()) {
                (Value::Array(values), ..) | (_, Value::Array(values), _) => {
                    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
                }
                (.., Some("boolean")) => vec!["true".to_owned(), "false".to_owned()],
                (.., Some("integer")) => {
                    let most = schema["maximum"].as_u64().map_or("9".repeat(30), |most| most.to_string());
                    vec![schema["minimum"].to_string(), most]
                }
                (.., Some("array")) => vec![
                    schema["items"]["enum"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|value| value.as_str().unwrap())
                        .collect::<Vec<_>>()
                        .join(","),
                ],
                _ => vec!["Europe/Berlin".to_owned()],
            };
            for value in values {
                let reply = sandbox.get(&format!(
                    "{}?{}={}",
                    path.replace("{site_id}", "site-0001"),
                    parameter["name"].as_str().unwrap(),
                    crate::support::encode(&value)
                ));
                assert_eq!(reply.status, 200, "{path} {parameter} {value}: {}", reply.text);
                tried += 1;
            }
        }
    }
    assert!(tried > 60);
}
