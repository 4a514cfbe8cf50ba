import type { z } from "zod";
import type { Scope } from "@/access/scopes";
import type { AnswerTerms } from "./answers";
import type { PlaceTerms } from "./places";

/** The fields of a declaration that neither its place nor its answer sets. */
export type OwnTerms = Readonly<{
  /** A sentence for the reference page. */
  summary: string;
  /** Any of these opens the endpoint; without them `api`, and `read_api` for reading. */
  scopes?: readonly Scope[];
  /** Where no OAuth token will do. */
  tokens?: "personal";
  /** Whether it creates a personal access token, which an OAuth token may not: the new token would survive the grant. */
  createsToken?: true;
  /** Whether the body is a file, which is read as a stream and carries no parameters. */
  upload?: true;
  /** What is accepted, from query and body, and from the path; anything else that is sent is ignored. */
  input?: z.ZodObject;
  /** Parameters of a request that succeeds, where values of their types would not. The tests send them. */
  example?: Readonly<Record<string, string | number | boolean>>;
}>;

/** What an endpoint checks, accepts and answers: the request is judged by it, and the documents are made from it. */
export type Declaration = PlaceTerms & AnswerTerms & OwnTerms;
