import type { z } from "zod";
import type { Scope } from "@/access/scopes";
import type { AccessRuleTerms } from "./access-rules";
import type { ResponseTerms } from "./responses";

/**
 * The fields that each endpoint declares itself, in addition to the fields of its access rule and its
 * response.
 */
export type OwnTerms = Readonly<{
  /** The summary of the endpoint on the reference page. */
  summary: string;
  /** The scopes of which a token needs at least one; by default `api`, and also `read_api` for reading. */
  scopes?: readonly Scope[];
  /** Set for an endpoint that accepts no OAuth tokens. */
  tokens?: "personal";
  /**
   * Whether the endpoint creates a personal access token. An OAuth token must not create personal access
   * tokens, because the new token would outlive the grant.
   */
  createsToken?: true;
  /** Whether the request body is a file, which is read as a stream and contains no parameters. */
  upload?: true;
  /** The accepted parameters of the query, the body and the path; the endpoint ignores other parameters. */
  input?: z.ZodObject;
  /**
   * Example values for parameters whose generated examples would cause the request to fail. The tests send
   * the example values.
   */
  example?: Readonly<Record<string, string | number | boolean>>;
}>;

/**
 * The checks, the parameters and the response of an endpoint. The server uses the declaration of an endpoint
 * to check requests, and to generate the API documentation.
 */
export type Declaration = AccessRuleTerms & ResponseTerms & OwnTerms;
