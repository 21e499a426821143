//! What an agent does with Gleaner, through Rust's MCP client: prints what came of it as one line of JSON.
//!
//! Usage: rust-round initialize|discover URL, or rust-round initialize|discover COMMAND ARGUMENT...

use std::error::Error;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService, ServiceError};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::{Value, json};
use tokio::process::Command;

type Client = RunningService<RoleClient, ()>;

async fn connect(lifecycle: &str, target: &[String]) -> Result<Client, Box<dyn Error>> {
    let mode = match lifecycle {
        "initialize" => ClientLifecycleMode::Initialize,
        // Revision 2026-07-28, without a handshake.
        "discover" => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
        other => return Err(format!("neither initialize nor discover: {other}").into()),
    };
    let (program, arguments) = target.split_first().ok_or("no target")?;
    if program.starts_with("http") {
        let transport = StreamableHttpClientTransport::from_uri(program.as_str());
        return Ok(().serve_with_lifecycle(transport, mode).await?);
    }
    let mut command = Command::new(program);
    command.args(arguments).env("GLEANER_EXTERNAL", "off");
    Ok(
        ().serve_with_lifecycle(TokioChildProcess::new(command)?, mode)
            .await?,
    )
}

async fn call(client: &Client, name: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client
        .call_tool(CallToolRequestParams::new(name).with_arguments(arguments))
        .await
}

fn text_of(result: &CallToolResult) -> &str {
    result.content[0].as_text().map_or("", |block| &block.text)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (lifecycle, target) = arguments.split_first().ok_or("no arguments")?;
    let client = connect(lifecycle, target).await?;

    let tools = client.list_all_tools().await?;
    let found = call(
        &client,
        "web_search",
        json!({ "query": "api key", "max_results": "3" }),
    )
    .await?;
    let structured = found.structured_content.clone().unwrap_or_default();
    let results = structured["results"].as_array().cloned().unwrap_or_default();
    let id = results[0]["id"].as_str().ok_or("no id")?;
    let read = call(&client, "fetch_content", json!({ "id": id, "max_chars": 700 })).await?;
    let refused = call(&client, "web_search", json!({ "q": "x", "limit": 1000 })).await?;
    let resource = client
        .read_resource(ReadResourceRequestParams::new(format!("gleaner://page/{id}")))
        .await?;
    let ResourceContents::TextResourceContents { text, .. } = &resource.contents[0] else {
        return Err("the resource is no text".into());
    };
    let prompts = client.list_all_prompts().await?;
    let round = json!({
        "tools": tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
        "ids": results.iter().map(|result| &result["id"]).collect::<Vec<_>>(),
        "same": serde_json::from_str::<Value>(text_of(&found))? == structured,
        "read": read.structured_content,
        "refused": [json!(refused.is_error), json!(text_of(&refused))],
        "resource": text,
        "prompts": prompts.len(),
    });
    println!("{round}");
    client.cancel().await?;
    Ok(())
}
