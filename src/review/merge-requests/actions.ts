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

/** The state of the form: its values, and what is wrong with them. */
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
  const nobody = { assigneeIds: [], reviewerIds: [], labels: [] };
  const branches = { sourceBranch: draft.source, targetBranch: draft.target };
  const told = { title, description, squash, removesSource, ...nobody };
  const made = await createMergeRequest(
    systemDeps(),
    { project, user: session.user },
    { ...branches, ...told },
  );
  if (typeof made === "string" || !("iid" in made)) return { draft, problems: problemsOf(made) };
  await setFlash("The merge request is open.");
  redirect(`${mergeRequestsPath(`${PROJECTS}/${project.id}`)}/${made.iid}`);
}

function textProblemsOf({ title, description }: MergeRequestFormDraft): FormErrors {
  return {
    ...(title === "" ? { title: "Say in a few words what it does." } : {}),
    ...(title.length > TITLE_CHARACTERS_MAX ? { title: "This is too long." } : {}),
    ...(description.length > DESCRIPTION_CHARACTERS_MAX ? { description: DESCRIPTION_PROBLEM } : {}),
  };
}

const DESCRIPTION_PROBLEM = `This is too long. Shorten it to ${DESCRIPTION_CHARACTERS_MAX.toLocaleString("en")} characters.`;

function problemsOf(refusal: ChangeRefusal): FormErrors {
  if (refusal === "same_branch") return { target: "Choose another branch than the one with your work." };
  if (typeof refusal === "string") return { source: "You may not open merge requests here." };
  if ("other" in refusal) return { source: `There is one for these branches already: !${refusal.other}.` };
  return refusal.missing === "source_branch"
    ? { source: "Choose the branch with your work." }
    : { target: "Choose the branch that it goes to." };
}
