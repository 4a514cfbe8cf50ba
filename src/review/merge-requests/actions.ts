"use server";

import { redirect } from "next/navigation";
import { mayFetch } from "@/access/code";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { mergeRequestsPath, textVersion } from "./loaders";
import { mergeWhenReady, releaseStaleLock } from "./merge-worker";
import { LEAST_TO_MERGE } from "./rules";
import {
  DESCRIPTION_CHARACTERS_MAX,
  type MergeRequestFormDraft,
  readEditForm,
  readMergeRequestForm,
  TITLE_CHARACTERS_MAX,
} from "./schema";
import { type ChangeRefusal, createMergeRequest, findMergeRequest, updateMergeRequest } from "./service";

type FormErrors = Readonly<Partial<Record<"source" | "target" | "title" | "description", string>>>;

/**
 * The state of the form for a new merge request: the entered values, and the error texts with the form field
 * as key.
 */
export type MergeRequestFormState = Readonly<{ draft: MergeRequestFormDraft; problems: FormErrors }>;

export async function openMergeRequest(
  _before: MergeRequestFormState,
  form: FormData,
): Promise<MergeRequestFormState> {
  const path = (home: string) => `${mergeRequestsPath(home)}/new`;
  const { project, session } = await requireProject(readReference(form, "project"), path, LEAST_TO_MERGE);
  const draft = readMergeRequestForm(form);
  const textProblems = textProblemsOf(draft);
  if (Object.keys(textProblems).length > 0) return { draft, problems: textProblems };
  const { title, description, squash, removesSource } = draft;
  const relations = { assigneeIds: [], reviewerIds: [], labels: [] };
  const branches = { sourceBranch: draft.source, targetBranch: draft.target };
  const fields = { title, description, squash, removesSource, ...relations };
  const outcome = await createMergeRequest(
    systemDeps(),
    { project, user: session.user },
    { ...branches, ...fields },
  );
  if (typeof outcome === "string" || !("iid" in outcome)) return { draft, problems: problemsOf(outcome) };
  await setFlash("The merge request is created.");
  redirect(`${mergeRequestsPath(`${PROJECTS}/${project.id}`)}/${outcome.iid}`);
}

/**
 * The state of the form for the title and the description. `version` is a digest of the title and the
 * description that the form showed.
 */
export type MergeRequestEditState = Readonly<{
  draft: Readonly<{ title: string; description: string }>;
  version: string;
  problems: Readonly<Partial<Record<"form" | "title" | "description", string>>>;
}>;

/** Changes the title and the description of a merge request. */
export async function editMergeRequest(
  _before: MergeRequestEditState,
  form: FormData,
): Promise<MergeRequestEditState> {
  const iid = readId(readReference(form, "iid")) ?? 0;
  const path = (home: string) => `${mergeRequestsPath(home)}/${iid}/edit`;
  const { project, session } = await requireProject(readReference(form, "project"), path);
  const deps = systemDeps();
  const home = mergeRequestsPath(`${PROJECTS}/${project.id}`);
  const stored = mayFetch(project.visibility, project.role)
    ? await findMergeRequest(deps, project, iid)
    : null;
  if (stored === null) redirect(home);
  const { version, ...draft } = readEditForm(form);
  const problems = textProblemsOf(draft);
  if (Object.keys(problems).length > 0) return { draft, version, problems };
  const current = textVersion(stored);
  if (version !== current) return { draft, version: current, problems: { form: EDITED } };
  const mergeRequest = await releaseStaleLock(deps, stored);
  const outcome = await updateMergeRequest(deps, { project, user: session.user }, mergeRequest, draft);
  if (typeof outcome === "string" || !("iid" in outcome))
    return { draft, version, problems: { form: "You do not have permission to edit this merge request." } };
  await mergeWhenReady(deps, outcome);
  await setFlash("The merge request is changed.");
  return redirect(`${home}/${iid}`);
}

const EDITED =
  "Another user has changed the title or the description since you opened this page. Compare your text with the page of the merge request, and save again to replace the change of the other user.";

function textProblemsOf({ title, description }: Pick<MergeRequestFormDraft, "title" | "description">) {
  const problems: Readonly<Partial<Record<"title" | "description", string>>> = {
    ...(title === "" ? { title: "Enter a title." } : {}),
    ...(title.length > TITLE_CHARACTERS_MAX
      ? { title: `The title is too long. Shorten the title to at most ${TITLE_CHARACTERS_MAX} characters.` }
      : {}),
    ...(description.length > DESCRIPTION_CHARACTERS_MAX ? { description: DESCRIPTION_PROBLEM } : {}),
  };
  return problems;
}

const DESCRIPTION_PROBLEM = `The description is too long. Shorten the description to at most ${DESCRIPTION_CHARACTERS_MAX.toLocaleString("en")} characters.`;

function problemsOf(refusal: ChangeRefusal): FormErrors {
  if (refusal === "same_branch") return { target: "Select a target branch other than the source branch." };
  if (typeof refusal === "string")
    return { source: "You do not have permission to create merge requests in this project." };
  if ("other" in refusal)
    return { source: `Another open merge request already has these branches: !${refusal.other}.` };
  return refusal.missing === "source_branch"
    ? { source: "Select a source branch." }
    : { target: "Select a target branch." };
}
