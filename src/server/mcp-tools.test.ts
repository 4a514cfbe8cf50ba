import { describe, expect, it } from "vitest";
import { SCOPES } from "@/access/scopes.ts";
import { MCP_TOOLS } from "./mcp-tools.ts";

/** The phrases about each tool that changes data, in the explanation and in the warning of the scope `mcp`. */
const PHRASES: Readonly<Record<string, Readonly<{ detail: string; warning: string }>>> = {
  set_error_status: {
    detail: "Resolve, ignore and reopen errors",
    warning: "resolve, ignore and reopen errors",
  },
  comment_on_error: { detail: "comment on errors in your name", warning: "comment in your name" },
};

describe("the texts of the scope mcp", () => {
  it("the table of phrases contains exactly the tools of the MCP server that change data", () => {
    const changing = MCP_TOOLS.filter(({ changes }) => changes).map(({ name }) => name);
    expect(Object.keys(PHRASES).toSorted()).toEqual(changing.toSorted());
  });

  it.each(Object.entries(PHRASES))(
    "the explanation and the warning of the scope mcp describe the changes of the tool %s",
    (_tool, { detail, warning }) => {
      expect(SCOPES.mcp.detail).toContain(detail);
      expect(SCOPES.mcp.warning).toContain(warning);
    },
  );
});
