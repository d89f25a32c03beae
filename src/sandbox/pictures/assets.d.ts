// A drawing imported with `type: "text"` is its text.

declare module "*.svg" {
  const text: string;
  export default text;
}
