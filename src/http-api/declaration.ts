import type { z } from "zod";
import type { Scope } from "@/access/scopes";
import type { AnswerTerms } from "./answers";
import type { PlaceTerms } from "./places";

/** The fields of a declaration that neither the place nor the response sets. */
export type OwnTerms = Readonly<{
  /** A sentence for the reference page. */
  summary: string;
  /** Any of these scopes opens the endpoint; by default `api`, and `read_api` for reading. */
  scopes?: readonly Scope[];
  /** Set when the endpoint accepts no OAuth tokens. */
  tokens?: "personal";
  /**
   * Whether it creates a personal access token. An OAuth token may not do that: the new token would outlive
   * the grant.
   */
  createsToken?: true;
  /** Whether the body is a file, which is read as a stream and carries no parameters. */
  upload?: true;
  /** The accepted parameters of the query, the body and the path; other parameters are ignored. */
  input?: z.ZodObject;
  /**
   * Example values of parameters with which a request succeeds, where made-up values would not. The tests
   * send them.
   */
  example?: Readonly<Record<string, string | number | boolean>>;
}>;

/**
 * The checks, the parameters and the response of an endpoint. Requests are checked against it, and the
 * documents are generated from it.
 */
export type Declaration = PlaceTerms & AnswerTerms & OwnTerms;
