import { rotateKeys } from "@/oauth/signing-keys/service";
import { defineCommand } from "./command";

const keysRotate = defineCommand({
  name: "keys rotate",
  usage: "",
  about:
    "Sign ID tokens with a new key from now on. The old key stays published until its tokens have expired.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const kid = await rotateKeys(deps);
    return { text: `ID tokens are now signed with the key ${kid}.`, json: { kid } };
  },
});

export const commands = [keysRotate];
