/**
 * Handles a GraphQL request. The GraphQL library is loaded by the first GraphQL request, because most
 * instances never receive such a request.
 */
export async function graphql(request: Request): Promise<Response> {
  const endpoint = await import("./endpoint");
  return endpoint.graphql(request);
}
