import { CodeBlock } from "@/ui/code-block";
import type { Snippet } from "../snippets";

/** Sample code for programs that report errors to the project. */
export const Reporting = ({ snippets }: { readonly snippets: readonly Snippet[] }) => (
  <div className="grid gap-4 text-left">
    {snippets.map((snippet) => (
      <CodeBlock key={snippet.label} {...snippet} />
    ))}
  </div>
);
