import { z } from "zod";
import { badRequest } from "@/http-api/errors";
import { defineTool, pageNumber, pagingOf, projectReference, shownPage, type Tool } from "@/http-api/tool";
import { code } from "@/workspace/api/access-rules";
import { treeEntry } from "./entities/repository";
import { fileReference, readRepositoryFile, readTree, treeSearch } from "./files";

const ref = z
  .string()
  .min(1)
  .max(1_024)
  .optional()
  .describe("A branch, a tag or a commit. Default: the default branch.");

/**
 * The maximum size of a file that a tool returns. The size is limited because the language model of an agent
 * reads the whole file.
 */
const BYTES_MAX = 262_144;

/** The MCP tools with which agents read repositories. */
export const CODE_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_files",
    title: "List files",
    description: "Lists the files and subfolders of a folder in the repository of a project.",
    in: code(),
    input: z.object({
      project: projectReference,
      path: z.string().max(4_096).default("").describe("The path of a folder. Default: the root."),
      ref,
      recursive: z.boolean().default(false),
      page: pageNumber,
    }),
    run: async (deps, who, { path, ref, recursive, page }, show) =>
      shownPage(
        show,
        treeEntry,
        await readTree(deps, who, treeSearch.parse({ path, ref, recursive }), pagingOf(page)),
      ),
  }),
  defineTool({
    name: "read_file",
    title: "Read a file",
    description: "Returns the content of a text file in the repository of a project.",
    in: code(),
    input: z.object({ project: projectReference, path: z.string().min(1).max(4_096), ref }),
    run: async (deps, who, { path, ref }) => {
      const { file, content, sha256 } = await readRepositoryFile(
        deps,
        who,
        fileReference.parse({ file_path: path, ref }),
      );
      if (content.includes(0)) throw badRequest("The file is not a text file.");
      if (content.byteLength > BYTES_MAX) throw badRequest(`The file has more than ${BYTES_MAX} bytes.`);
      return { path, last_commit_id: file.lastCommit, sha256, content: content.toString("utf8") };
    },
  }),
];
