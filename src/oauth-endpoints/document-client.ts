import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { isClientUrl } from "@/oauth/applications/client-url";
import { findClient } from "@/oauth/client-documents/service";
import type { Form } from "./form";

/**
 * Reads the metadata document of a client that nobody registered, if the request names one, because the request of a
 * device and a pushed request come before the browser of the user.
 */
export async function readClientOf(deps: Deps, request: Request, form: Form): Promise<void> {
  const uid = form.get("client_id");
  if (uid === undefined || !isClientUrl(uid)) return;
  await findClient(deps, uid, { network: sourceNetwork(clientIpOf(request)) });
}
