export { postTheme as POST } from "@/features/appearance/theme-form";
