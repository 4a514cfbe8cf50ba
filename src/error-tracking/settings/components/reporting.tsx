import { CodeBlock } from "@/ui/code-block";
import type { Snippet } from "../snippets";

/** How a program reports its errors: lines to paste. */
export const Reporting = ({ snippets }: { readonly snippets: readonly Snippet[] }) => (
  <div className="grid gap-4 text-left">
    {snippets.map((snippet) => (
      <CodeBlock key={snippet.label} {...snippet} />
    ))}
  </div>
);
