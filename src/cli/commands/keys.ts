import { rotateKeys } from "@/oauth/signing-keys/service";
import { defineCommand } from "./command";

const keysRotate = defineCommand({
  name: "keys rotate",
  usage: "",
  about: "Sign ID tokens with a new key from now on. The old one stays published until its tokens are over.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const kid = await rotateKeys(deps);
    return { text: `ID tokens are signed by the key ${kid} from now on.`, json: { kid } };
  },
});

export const commands = [keysRotate];
