import { FLAGS, type Flag, isFlag } from "@/instance/flags/catalog";
import { type FlagState, readFlags, setFlag } from "@/instance/flags/service";
import { type CommandEnvironment, defineCommand, type Output, UsageError } from "./command";

const featureEnable = defineCommand({
  name: "feature enable",
  usage: "NAME",
  about: "Enable a feature. The change applies to every process from the next request.",
  options: {},
  words: ["NAME"],
  run: ({ open }, _options, [name]) => switchFeature(open, name, true),
});

const featureDisable = defineCommand({
  name: "feature disable",
  usage: "NAME",
  about: "Disable a feature.",
  options: {},
  words: ["NAME"],
  run: ({ open }, _options, [name]) => switchFeature(open, name, false),
});

const featureList = defineCommand({
  name: "feature list",
  usage: "",
  about: "List every feature that can be enabled or disabled.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const flags = await readFlags(deps);
    const text = flags.map(({ name, enabled }) => `${state(enabled)}  ${name}: ${FLAGS[name].about}`);
    return { text: text.join("\n"), json: { features: flags.map(entity) } };
  },
});

async function switchFeature(
  open: CommandEnvironment["open"],
  word: string | undefined,
  enabled: boolean,
): Promise<Output> {
  const name = flagName(word);
  const { deps } = await open();
  await setFlag(deps, name, enabled);
  return { text: `${name} is now ${state(enabled)}.`, json: { name, state: state(enabled) } };
}

const state = (enabled: boolean): string => (enabled ? "on" : "off");

const entity = ({ name, enabled }: FlagState) => ({
  name,
  state: state(enabled),
  default_enabled: FLAGS[name].default,
});

function flagName(word: string | undefined): Flag {
  if (word !== undefined && isFlag(word)) return word;
  throw new UsageError(
    `There is no feature ${word ?? ""}. Run "gatehouse feature list" to list all features.`,
  );
}

export const commands = [featureEnable, featureDisable, featureList];
