/** The parts of the chart that are loaded after the page: the chart itself, and the contents of its menus. */
export { AlertForm } from "./alert-form.tsx";
export { ChartStage } from "./chart-stage.tsx";
export { IndicatorForm } from "./indicator-form.tsx";
export { LayoutForm } from "./layout-form.tsx";
