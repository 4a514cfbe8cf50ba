import { isSettingKey, SETTINGS, type SettingKey, type Settings } from "@/instance/settings/catalog";
import { changeSettings, readSettings } from "@/instance/settings/service";
import { defineCommand, UsageError } from "./command";

const settingGet = defineCommand({
  name: "setting get",
  usage: "KEY",
  about: "Print the value of one setting.",
  options: {},
  words: ["KEY"],
  run: async ({ open }, _options, [word]) => {
    const key = settingKey(word);
    const { deps } = await open();
    const value = (await readSettings(deps))[key];
    return { text: String(value), json: { [key]: value } };
  },
});

const settingSet = defineCommand({
  name: "setting set",
  usage: "KEY VALUE",
  about: "Change one setting. The change applies to every process from the next request.",
  options: {},
  words: ["KEY", "VALUE"],
  run: async ({ open }, _options, [word, text = ""]) => {
    const key = settingKey(word);
    const { deps } = await open();
    const problems = await changeSettings(deps, { [key]: text });
    if (problems.length > 0) throw new UsageError(problems.map((problem) => problem.text).join("\n"));
    const value = (await readSettings(deps))[key];
    return { text: `${key} is now ${value}.`, json: { [key]: value } };
  },
});

const settingList = defineCommand({
  name: "setting list",
  usage: "",
  about: "List every setting with its value and its purpose.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const settings = await readSettings(deps);
    return { text: KEYS.map((key) => line(key, settings)).join("\n"), json: settings };
  },
});

const KEYS = Object.keys(SETTINGS) as SettingKey[];

const line = (key: SettingKey, settings: Settings): string =>
  `${key} = ${settings[key]}${settings[key] === SETTINGS[key].default ? "" : ` (default ${SETTINGS[key].default})`}\n    ${SETTINGS[key].about}`;

function settingKey(word: string | undefined): SettingKey {
  if (word !== undefined && isSettingKey(word)) return word;
  throw new UsageError(
    `There is no setting ${word ?? ""}. Run "gatehouse setting list" to list all settings.`,
  );
}

export const commands = [settingGet, settingSet, settingList];
