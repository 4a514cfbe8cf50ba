import { CodeBlock } from "@/ui/code-block";
import type { Snippet } from "../snippets";

/** Code to paste that reports errors. */
export const Reporting = ({ snippets }: { readonly snippets: readonly Snippet[] }) => (
  <div className="grid gap-4 text-left">
    {snippets.map((snippet) => (
      <CodeBlock key={snippet.label} {...snippet} />
    ))}
  </div>
);
