"use client";

import { useActionState } from "react";
import { type DurationUnit, durationText } from "@/instance/settings/duration";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { FieldProblems } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { GroupState } from "../actions";
import type { ShownGroup, ShownSetting } from "../loaders";
import { labelOf } from "../rules";

type Props = Readonly<{
  group: ShownGroup;
  /**
   * The search text of the settings page. After the settings are saved, the page shows the matching settings
   * again.
   */
  search: string;
  /** The values that the administrator entered before a re-authentication. */
  typed: GroupState["typed"];
  save: (before: GroupState, form: FormData) => Promise<GroupState>;
  reset: (form: FormData) => Promise<void>;
}>;

const CONTROL =
  "min-h-11 rounded-control border border-control bg-panel px-3 py-2 text-base text-ink aria-invalid:border-danger";

/** A form with the settings of one group. The form works without JavaScript. */
export function SettingsForm({ group, search, typed, save, reset }: Props) {
  const [state, formAction, pending] = useActionState(save, { typed, problems: {}, unchanged: false });
  const wrong = Object.keys(state.problems).length > 0;
  return (
    <Card title={group.title} about={group.about}>
      {wrong ? <Notice kind="problem">Nothing was saved. Correct the marked fields.</Notice> : null}
      {state.unchanged ? (
        <Notice kind="info" focused>
          Nothing was changed, so nothing was saved.
        </Notice>
      ) : null}
      <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
        <input type="hidden" name="search" value={search} />
        <div className="grid gap-4 divide-y divide-line [&>*:not(:last-child)]:pb-4">
          {group.settings.map((setting) => (
            <Setting
              key={setting.key}
              setting={setting}
              typed={state.typed[setting.key]}
              problem={state.problems[setting.key]}
            />
          ))}
        </div>
        <div>
          <Button kind="primary" disabled={pending} aria-label={`Save: ${group.title}`}>
            Save
          </Button>
        </div>
      </form>
      {group.settings.filter(isChanged).map(({ key }) => (
        <form key={key} id={`reset-${key}`} action={reset} className="hidden">
          <input type="hidden" name="search" value={search} />
          <input type="hidden" name="key" value={key} />
        </form>
      ))}
    </Card>
  );
}

const isChanged = (setting: ShownSetting): boolean => setting.value !== setting.default;

type SettingProps = Readonly<{
  setting: ShownSetting;
  typed: string | undefined;
  problem: string | undefined;
}>;

function Setting({ setting, typed, problem }: SettingProps) {
  const { key } = setting;
  const text = typed ?? String(setting.value);
  const described = `${key}-facts${problem === undefined ? "" : ` ${key}-problems`}`;
  return (
    <div className="grid gap-1">
      <input type="hidden" name={`was:${key}`} value={String(setting.value)} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <label htmlFor={key} className="min-w-50 flex-1 font-semibold">
          {labelOf(setting)}
        </label>
        {"least" in setting ? (
          <NumberInput setting={setting} text={text} invalid={problem !== undefined} described={described} />
        ) : "choices" in setting ? (
          <select
            id={key}
            name={key}
            defaultValue={text}
            aria-invalid={problem === undefined ? undefined : true}
            aria-describedby={described}
            className={`${CONTROL} w-full sm:w-auto`}
          >
            {Object.entries(setting.choices).map(([choice, label]) => (
              <option key={choice} value={choice}>
                {label}
              </option>
            ))}
          </select>
        ) : "pattern" in setting ? (
          <input
            id={key}
            name={key}
            type="text"
            autoComplete="off"
            defaultValue={text}
            aria-invalid={problem === undefined ? undefined : true}
            aria-describedby={described}
            className={`${CONTROL} w-full font-mono sm:w-64`}
          />
        ) : (
          <input
            id={key}
            name={key}
            type="checkbox"
            value="true"
            defaultChecked={text === "true"}
            aria-describedby={described}
            className="size-5 accent-accent"
          />
        )}
      </div>
      <FieldProblems id={`${key}-problems`} texts={problem === undefined ? undefined : [problem]} />
      <Facts setting={setting} />
    </div>
  );
}

function NumberInput(props: {
  readonly setting: Extract<ShownSetting, { readonly least: number }>;
  readonly text: string;
  readonly invalid: boolean;
  readonly described: string;
}) {
  const { key, unit } = props.setting;
  // If the value of a duration is a plain number, the number is the stored value. The form shows the duration
  // with units.
  const text =
    unit !== undefined && /^\d{1,12}$/.test(props.text) ? durationText(Number(props.text), unit) : props.text;
  return (
    <input
      id={key}
      name={key}
      type="text"
      inputMode={unit === undefined ? "numeric" : undefined}
      autoComplete="off"
      defaultValue={text}
      aria-invalid={props.invalid ? true : undefined}
      aria-describedby={props.described}
      className={`${CONTROL} ${unit === undefined ? "w-32 text-right font-mono" : "w-full sm:w-64"}`}
    />
  );
}

/** Shows the key of a setting, its range of values and its default. */
function Facts({ setting }: { readonly setting: ShownSetting }) {
  const { key } = setting;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
      <span id={`${key}-facts`} className="min-w-0 wrap-anywhere">
        <code>{key}</code> · {boundsOf(setting)}default {defaultOf(setting)}
      </span>
      {isChanged(setting) ? (
        <>
          <Badge>changed</Badge>
          <button
            type="submit"
            form={`reset-${key}`}
            aria-label={`Reset ${key} to its default`}
            className="cursor-pointer text-accent underline underline-offset-4"
          >
            Reset to default
          </button>
        </>
      ) : null}
    </div>
  );
}

function boundsOf(setting: ShownSetting): string {
  if ("least" in setting)
    return `${numberText(setting, setting.least)} to ${numberText(setting, setting.most)} · `;
  if ("choices" in setting) return `${Object.keys(setting.choices).join(", ")} · `;
  return "pattern" in setting ? `${setting.format} · ` : "";
}

function defaultOf(setting: ShownSetting): string {
  if (typeof setting.default === "string") return setting.default;
  if (!("least" in setting)) return setting.default ? "on" : "off";
  return numberText(setting, setting.default);
}

const numberText = ({ unit }: { readonly unit?: DurationUnit }, value: number): string =>
  unit === undefined ? String(value) : durationText(value, unit);
