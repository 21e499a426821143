// What an agent does with Gleaner, through Go's MCP client: prints what came of it as one line of JSON.
//
// Usage: go-round URL, or go-round COMMAND ARGUMENT...
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func transport(target []string) mcp.Transport {
	if strings.HasPrefix(target[0], "http") {
		return &mcp.StreamableClientTransport{Endpoint: target[0]}
	}
	command := exec.Command(target[0], target[1:]...)
	command.Env = append(os.Environ(), "GLEANER_EXTERNAL=off")
	return &mcp.CommandTransport{Command: command}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session := must(client.Connect(ctx, transport(os.Args[1:]), nil))
	defer session.Close()
	call := func(name string, arguments map[string]any) *mcp.CallToolResult {
		return must(session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments}))
	}
	text := func(result *mcp.CallToolResult) string { return result.Content[0].(*mcp.TextContent).Text }

	tools := []string{}
	for _, tool := range must(session.ListTools(ctx, nil)).Tools {
		tools = append(tools, tool.Name)
	}
	found := call("web_search", map[string]any{"query": "api key", "max_results": "3"})
	ids := []string{}
	for _, result := range found.StructuredContent.(map[string]any)["results"].([]any) {
		ids = append(ids, result.(map[string]any)["id"].(string))
	}
	var asText any
	must(0, json.Unmarshal([]byte(text(found)), &asText))
	read := call("fetch_content", map[string]any{"id": ids[0], "max_chars": 700})
	refused := call("web_search", map[string]any{"q": "x", "limit": 1000})
	resource := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "gleaner://page/" + ids[0]}))
	prompts := must(session.ListPrompts(ctx, nil))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"tools":    tools,
		"ids":      ids,
		"same":     reflect.DeepEqual(asText, found.StructuredContent),
		"read":     read.StructuredContent,
		"refused":  []any{refused.IsError, text(refused)},
		"resource": resource.Contents[0].Text,
		"prompts":  len(prompts.Prompts),
	}))
}
