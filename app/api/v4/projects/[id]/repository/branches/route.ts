import { apiPreflight } from "@/api/cors";
import { branch } from "@/api/entities/repository";
import { codeList, projectEndpoint } from "@/api/project-endpoint";
import { createBranch, listBranches, nameSearch, newBranch } from "@/api/repository";

export const GET = codeList({
  summary: "The branches",
  input: nameSearch,
  pagedBy: "number",
  run: listBranches,
  entity: branch,
});
export const POST = projectEndpoint({
  summary: "Makes a branch",
  role: "developer",
  input: newBranch,
  status: 201,
  run: createBranch,
  entity: branch,
});
export const OPTIONS = apiPreflight;
