/**
 * Handles a GraphQL request. The GraphQL library is loaded when the first GraphQL request arrives, because
 * most instances never receive a GraphQL request.
 */
export async function graphql(request: Request): Promise<Response> {
  const endpoint = await import("./endpoint");
  return endpoint.graphql(request);
}
