import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
  visit,
} from "graphql";
import { z } from "zod";
import type { Scope } from "@/access/scopes";
import { refuseSudo } from "@/http-api/endpoint";
import { ApiError, invalidParameters, unauthorized } from "@/http-api/errors";
import { withImpersonator } from "@/http-api/impersonator";
import { type Body, isPlain, parseInput, readInputBody } from "@/http-api/input";
import { presentedToken } from "@/http-api/presented-token";
import { PRIVATE } from "@/http-api/responses";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { authenticate } from "@/oauth/api/authenticate";
import { limitExceeded } from "./cost";
import { listRunners, runner, runnerDelete, runnerUpdate } from "./runners";
import { schema } from "./schema";

const DOCUMENT_CHARACTERS_MAX = 10_000;
const TOKENS_MAX = 1_500;
/**
 * The maximum number of fields in a GraphQL document, including the fields of unused fragments. The number of
 * fields is limited because the validation of overlapping fields takes quadratic time.
 */
const FIELDS_MAX = 300;
const PROBLEMS_MAX = 5;

const SCOPES: Readonly<Record<OperationTypeNode, readonly Scope[]>> = {
  query: ["api", "read_api"],
  mutation: ["api"],
  subscription: ["api"],
};

const variablesField = z.union([
  z.record(z.string(), z.unknown()),
  z.literal("").transform(() => ({})),
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("variables is invalid");
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.unknown())),
]);

const fields = z.object({
  query: z.string().max(DOCUMENT_CHARACTERS_MAX),
  variables: variablesField.nullish(),
  operationName: z.string().max(255).nullish(),
});

type ParsedOperation = Readonly<{
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>>;
}>;

/** A parsed GraphQL operation that is not validated yet, or the syntax errors of the document. */
type ParsedRequest = ParsedOperation | Readonly<{ problems: readonly GraphQLError[] }>;

/**
 * Handles a GraphQL query by POST or GET, or a GraphQL mutation by POST. A caller needs the same permissions
 * as for requests to the REST API. Error responses have the format of GraphQL errors. The response to a valid
 * operation has the status 200, even if the operation fails.
 */
export async function graphql(request: Request): Promise<Response> {
  const deps = systemDeps();
  try {
    const body = await readInputBody(request);
    const token = presentedToken(request, body);
    if (token === null) throw unauthorized();
    const parsed = read(request, body);
    const type = "problems" in parsed ? OperationTypeNode.QUERY : parsed.operation.operation;
    const caller = await authenticate(deps, request, token, SCOPES[type]);
    refuseSudo(request, body, caller);
    if ("problems" in parsed) return respond(deps, request, { errors: parsed.problems });
    if (request.method !== "POST" && type !== OperationTypeNode.QUERY)
      throw new ApiError(405, { message: "405 Mutations require POST" });
    // The query is validated after the authentication, because the validation is expensive.
    const problems = validationErrors(parsed);
    if (problems.length > 0) return respond(deps, request, { errors: problems });
    const { document, operation, variables } = parsed;
    const result = await execute({
      schema,
      document,
      rootValue: { runner, runners: listRunners, runnerUpdate, runnerDelete },
      contextValue: { deps: withImpersonator(deps, caller), caller },
      variableValues: variables,
      operationName: operation.name?.value ?? null,
    });
    return respond(deps, request, result);
  } catch (cause) {
    return refuse(deps, request, cause);
  }
}

/** Parses a GraphQL request. @throws ApiError 400 if the request is malformed. */
function read(request: Request, body: Body): ParsedRequest {
  const { query, variables, operationName } = parseInput(fields, request, body, {});
  if (!isPlain(variables)) throw invalidParameters(["variables is invalid"]);
  try {
    const document = parse(query, { maxTokens: TOKENS_MAX });
    let fields = 0;
    visit(document, {
      Field() {
        fields += 1;
      },
      StringValue(node) {
        if (!isPlain(node.value))
          throw new GraphQLError("A string contains invalid characters", { nodes: node });
      },
    });
    if (fields > FIELDS_MAX)
      throw new GraphQLError(`Query has ${fields} fields, which exceeds ${FIELDS_MAX}`);
    const operation = getOperationAST(document, operationName || undefined);
    if (!operation) return { problems: [new GraphQLError("The operation does not exist")] };
    return { document, operation, variables: variables ?? {} };
  } catch (cause) {
    if (cause instanceof GraphQLError) return { problems: [cause] };
    throw cause;
  }
}

/** Validates an operation with the GraphQL schema and the limits of depth and complexity. */
function validationErrors({ document, operation }: ParsedOperation): readonly GraphQLError[] {
  const problems = validate(schema, document, undefined, { maxErrors: PROBLEMS_MAX });
  if (problems.length > 0) return problems;
  const problem = limitExceeded(document, operation);
  return problem === null ? [] : [new GraphQLError(problem)];
}

/**
 * Returns the response that contains the result of a GraphQL operation. Internal errors are logged, and the
 * response does not contain the messages of these errors.
 */
function respond(deps: Deps, request: Request, { data, errors }: ExecutionResult): Response {
  const failures = (errors ?? []).filter(({ originalError }) => isFailure(originalError));
  for (const { originalError: cause } of failures) fail(deps, request, cause);
  if (failures.some(({ originalError }) => isUnavailable(originalError))) return unavailable();
  const shown = errors?.map((error) =>
    failures.includes(error) ? { ...error.toJSON(), message: "Internal server error" } : error,
  );
  return jsonResponse(
    { ...(data === undefined ? {} : { data }), ...(shown === undefined ? {} : { errors: shown }) },
    { headers: PRIVATE },
  );
}

const isFailure = (cause: unknown): boolean => cause !== undefined && !(cause instanceof GraphQLError);

const fail = (deps: Deps, request: Request, cause: unknown): void =>
  deps.log.error({ event: "graphql.failed", request_id: requestIdOf(request) }, cause);

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  jsonResponse({ errors: [{ message }] }, { status, headers: { ...PRIVATE, ...headers } });

const unavailable = (): Response =>
  refusal(503, "Service unavailable", { "retry-after": String(RETRY_AFTER_SECONDS) });

function refuse(deps: Deps, request: Request, cause: unknown): Response {
  if (cause instanceof ApiError) {
    const challenge = cause.challenge === null ? {} : { "www-authenticate": cause.challenge };
    return refusal(cause.status, errorTextOf(cause.body), challenge);
  }
  fail(deps, request, cause);
  return isUnavailable(cause) ? unavailable() : refusal(500, "Internal server error");
}

/** Returns the error text in the body of an error response of the REST API. */
function errorTextOf(body: object): string {
  const { message, error_description, error } = body as Readonly<Record<string, unknown>>;
  return String(message ?? error_description ?? error);
}
