/**
 * The word list of the project's language: the names and the phrases that the sources and the documents
 * avoid.
 */

/** A part of a source file: names are searched for in the code, and phrases in the comments and texts. */
type Part = Readonly<{
  kind: "code" | "comment" | "text";
  text: string;
  /** The position of the part in the source. */
  index: number;
}>;

/** `pattern` has the flags `g` and `m`. */
type Entry = Readonly<{ pattern: RegExp; instead: string }>;

/** Matches a word as a whole name. */
const wholeName = (words: string, instead: string): Entry => ({
  pattern: new RegExp(`(?<![\\w$.])(?:${words})(?![\\w$])(?!\\??:)`, "gm"),
  instead,
});
/** Matches a word as a whole name or as a part of a name: `person` in `personId` and in `signedInPerson`. */
const partOfName = (words: string, instead: string): Entry => {
  const capitalized = words
    .split("|")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("|");
  return {
    pattern: new RegExp(`(?<![\\w$])(?:${words})(?![a-z])|(?<=[\\w$])(?:${capitalized})(?![a-z])`, "gm"),
    instead,
  };
};

/** The entries for names of variables, functions and types. */
const NAMES: readonly Entry[] = [
  wholeName("told|found|made|known|kept|said|thing|seen", "the noun of the value"),
  wholeName("Ask|Sent|Answer|Found|Named|Judged|Problems", "the noun of what the type holds"),
  partOfName("anew|everybodys?|anybodys?|whoever", "the field's word"),
  partOfName("ask", "request, input"),
  partOfName("healed|lookingAt|setArrived|keepGoing|evenly", "a verb of the field"),
  partOfName("surroundings", "environment"),
  partOfName("notebook|notes", "write-behind buffer"),
  partOfName("rounds|upkeep", "scheduled job"),
  partOfName("dialect", "the GitLab API"),
  partOfName("formToken", "CSRF token"),
  partOfName("person|persons|people|peoples", "user, users"),
  partOfName("gate", "mutex, semaphore, queue"),
  partOfName("arrival", "request intake"),
  partOfName("spellings?", "case variants"),
  partOfName("judge|judged|judges", "validate, evaluate, check"),
  partOfName("verdicts?", "decision, evaluation"),
  partOfName("proofs?|proven|unproven", "sealed token, re-authentication, verification"),
  partOfName("losses", "dropped items, ingest summary"),
  partOfName("pace", "progress, options"),
  wholeName("address", "ipAddress, email, url"),
];

/** The entries for phrases of comments, screens, messages and documents. */
const PHRASES: readonly Entry[] = [
  { pattern: /\banew\b/gim, instead: "again" },
  { pattern: /\ball the same\b/gim, instead: "nevertheless, or nothing" },
  { pattern: /\bnought\b/gim, instead: "zero, nothing" },
  { pattern: /\bonce more\b/gim, instead: "again" },
  { pattern: /\b(?:is|are|was|were|be|been) told\b/gim, instead: "receives, is notified" },
  { pattern: /\btells? of\b/gim, instead: "reports, describes" },
  { pattern: /\blets? go\b/gim, instead: "releases" },
  { pattern: /\b(?:takes?|taken|took|taking) back\b/gim, instead: "revoke, withdraw" },
  { pattern: /\b(?:gives?|given|gave|giving) away\b/gim, instead: "reveal, disclose" },
  { pattern: /\b(?:is|are|was|were) no \w+(?: \w+)? any ?more\b/gim, instead: "is no longer a …" },
  { pattern: /\bas long as that\b/gim, instead: "the duration" },
  { pattern: /\bon a safe way\b/gim, instead: "through a secure channel" },
  { pattern: /\bbeside\b/gim, instead: "next to, in addition to" },
  { pattern: /\bfor good\b/gim, instead: "permanently" },
  { pattern: /\bmeanwhile\b/gim, instead: "name the moment" },
  { pattern: /\bat once\b/gim, instead: "immediately, simultaneously" },
  { pattern: /\bso-manieth\b/gim, instead: "the nth" },
  { pattern: /\b(?:whoever|whatever|whomever)\b/gim, instead: "name the thing" },
  { pattern: /\bform tokens?\b/gim, instead: "CSRF token" },
  { pattern: /\bsurroundings\b/gim, instead: "environment" },
  { pattern: /\bdialect\b/gim, instead: "the GitLab API" },
  { pattern: /\bupkeep\b/gim, instead: "scheduled job" },
  { pattern: /\bnull where\b/gim, instead: "null if" },
  { pattern: /\bin between\b/gim, instead: "since the previous …, between … and …" },
  { pattern: /\bas pasted\b/gim, instead: "without changes" },
  { pattern: /\bin the clear\b/gim, instead: "in plain text" },
  { pattern: /\bwide scopes?\b/gim, instead: "powerful scope" },
  { pattern: /\bstock adapter\b/gim, instead: "the adapter of Prisma" },
  { pattern: /\bsealed proof\b/gim, instead: "sealed token" },
  { pattern: /\bspent (?:refresh )?(?:tokens?|codes?)\b/gim, instead: "used" },
  { pattern: /\bdecision pages?\b/gim, instead: "the page for allowing or denying the request" },
  { pattern: /\bdoes not answer\b/gim, instead: "does not respond" },
  {
    pattern:
      /(?:^\s*|[.:;!] |["'`>] ?)(?:What|Who|Whom) (?!(?:is|are|does|do|can|did|was|were|happens|has|differs)\b)[a-z][^?]*?[.,;:]/gm,
    instead: "begin with the thing that does it",
  },
];

/** Matches every text that an entry of PHRASES may match. One search replaces a search for each entry. */
const ANY_PHRASE = new RegExp(PHRASES.map(({ pattern }) => `(?:${pattern.source})`).join("|"), "im");

/** Matches names of a table and of a relation from the database schema. */
const OF_THE_SCHEMA =
  /\b(?:provenAt|spentProof|SpentProof|mergeRequestPerson|MergeRequestPerson|people(?=: |, |\.filter|\b.*\} = ))/g;

/** Returns every use of a word on the list, as `path:line: "words" (instead: …)`. */
export function languageFindings(path: string, source: string): readonly string[] {
  const parts = path.endsWith(".md") ? partsOfDocument(source) : partsOfCode(source, path.endsWith(".tsx"));
  return parts.flatMap(({ kind, text: written, index }) => {
    const text =
      kind === "code" ? written.replace(OF_THE_SCHEMA, (name) => " ".repeat(name.length)) : written;
    if (kind !== "code" && !ANY_PHRASE.test(text)) return [];
    return (kind === "code" ? NAMES : PHRASES).flatMap(({ pattern, instead }) =>
      Array.from(text.matchAll(pattern), (match) => {
        const line = lineAt(source, index) + lineAt(text, match.index) - 1;
        return `${path}:${line}: "${match[0].trim()}" (instead: ${instead})`;
      }),
    );
  });
}

/** Returns the number of the line at a position of a text; the first line has the number 1. */
const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** Returns the sentences of a document, without its blocks of code. */
function partsOfDocument(source: string): readonly Part[] {
  const text = source
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ""))
    .replace(/`[^`\n]*`/g, (code) => "`".repeat(code.length));
  return [{ kind: "text", text, index: 0 }];
}

const PIECES =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:!&|?{}\s])\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** Matches the text between two tags of a component. */
const ELEMENT_TEXT = /(?<!=)>[^<>{}=;]*[A-Za-z][^<>{}=;]*(?=[<{])|\}[^<>{}=;()]*[A-Za-z][^<>{}=;()]*(?=<)/g;

/**
 * Returns the code of a source file without its comments and texts, and the comments and texts as separate
 * parts.
 */
function partsOfCode(source: string, hasElements: boolean): readonly Part[] {
  const parts: Part[] = [];
  const code = source.replace(PIECES, (piece, index: number) => {
    const first = piece.slice(0, 1);
    const isComment = piece.startsWith("/*") || piece.startsWith("//");
    if (isComment || first !== "/") {
      const text = isComment ? piece.replace(/^(\s*)(?:\/?\*+\/?|\/\/)/gm, "$1") : piece;
      parts.push({
        kind: isComment ? "comment" : "text",
        text: text.replace(/`[^`\n]*`/g, (inner) => (isComment ? "`".repeat(inner.length) : inner)),
        index,
      });
    }
    return piece.replace(/[^\n]/g, " ");
  });
  const codeOnly = hasElements
    ? code.replace(ELEMENT_TEXT, (text, index: number) => {
        parts.push({ kind: "text", text, index });
        return text.replace(/[^\n]/g, " ");
      })
    : code;
  return [...parts, { kind: "code", text: codeOnly, index: 0 }];
}
