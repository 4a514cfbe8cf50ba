import { CODE_TOOLS } from "@/code/api/tools";
import { ERROR_TOOLS } from "@/error-tracking/api/tools";
import type { Tool } from "@/http-api/tool";
import { REVIEW_TOOLS } from "@/review/api/tools";
import { WORKSPACE_TOOLS } from "@/workspace/api/tools";

/** The tools of the MCP server. */
export const MCP_TOOLS: readonly Tool[] = [
  ...WORKSPACE_TOOLS,
  ...CODE_TOOLS,
  ...REVIEW_TOOLS,
  ...ERROR_TOOLS,
];
