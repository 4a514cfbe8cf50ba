import { Tabs } from "@/ui/tabs";
import { PERIODS, type Period } from "../rules";

/** Links to the periods of the charts of a page. @param props.path the URL of the page without a query. */
export const PeriodTabs = ({ path, period }: { readonly path: string; readonly period: Period }) => (
  <Tabs
    label="Period of the charts"
    tabs={(Object.keys(PERIODS) as Period[]).map((name) => ({
      label: PERIODS[name].label,
      href: `${path}?period=${name}`,
      current: name === period,
    }))}
  />
);
