export { postTheme as POST } from "@/ui/appearance/theme-form";
