"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { mergeRequestsPath } from "./loaders";
import { LEAST_TO_MERGE } from "./rules";
import {
  DESCRIPTION_CHARACTERS_MAX,
  type MergeRequestFormDraft,
  readMergeRequestForm,
  TITLE_CHARACTERS_MAX,
} from "./schema";
import { type ChangeRefusal, createMergeRequest } from "./service";

type FormErrors = Readonly<Partial<Record<"source" | "target" | "title" | "description", string>>>;

/** The state of the merge request form: the entered values, and the error texts by field. */
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
  await setFlash("The merge request was created.");
  redirect(`${mergeRequestsPath(`${PROJECTS}/${project.id}`)}/${outcome.iid}`);
}

function textProblemsOf({ title, description }: MergeRequestFormDraft): FormErrors {
  return {
    ...(title === "" ? { title: "Enter a title." } : {}),
    ...(title.length > TITLE_CHARACTERS_MAX
      ? { title: `The title is too long. Shorten it to ${TITLE_CHARACTERS_MAX} characters.` }
      : {}),
    ...(description.length > DESCRIPTION_CHARACTERS_MAX ? { description: DESCRIPTION_PROBLEM } : {}),
  };
}

const DESCRIPTION_PROBLEM = `The description is too long. Shorten it to ${DESCRIPTION_CHARACTERS_MAX.toLocaleString("en")} characters.`;

function problemsOf(refusal: ChangeRefusal): FormErrors {
  if (refusal === "same_branch") return { target: "Select a target branch other than the source branch." };
  if (typeof refusal === "string")
    return { source: "You do not have permission to create merge requests in this project." };
  if ("other" in refusal)
    return { source: `An open merge request already has these branches: !${refusal.other}.` };
  return refusal.missing === "source_branch"
    ? { source: "Select a source branch." }
    : { target: "Select a target branch." };
}
