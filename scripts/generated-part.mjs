import { readFileSync, writeFileSync } from "node:fs";
import { StepFailed } from "./prepare-step.mjs";

/**
 * Replaces the generated part of a document, which is the text between two comments that name the generating
 * command.
 * @param {string} file
 * @param {string} command
 * @param {string} text
 * @throws StepFailed if the document does not contain the two comments.
 */
export function writeGeneratedPart(file, command, text) {
  const [begin, end] = ["begin", "end"].map((place) => `<!-- ${command}: ${place} -->`);
  const document = readFileSync(file, "utf8");
  const [before, rest] = document.split(`${begin}\n`);
  const after = rest?.split(`${end}\n`)[1];
  if (before === undefined || after === undefined)
    throw new StepFailed(`${file} does not have the lines ${begin} and ${end}.`);
  writeFileSync(file, `${before}${begin}\n\n${text.trimEnd()}\n\n${end}\n${after}`);
}
