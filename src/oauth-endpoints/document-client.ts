import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { isClientUrl } from "@/oauth/applications/client-url";
import { findClient } from "@/oauth/client-documents/service";
import type { Form } from "./form";

/**
 * Fetches the metadata document of an unregistered client that sent a device request or a pushed
 * authorization request. The client sends these requests before the user opens the consent page.
 */
export async function readClientOf(deps: Deps, request: Request, form: Form): Promise<void> {
  const uid = form.get("client_id");
  if (uid === undefined || !isClientUrl(uid)) return;
  await findClient(deps, uid, { network: sourceNetwork(clientIpOf(request)) });
}
