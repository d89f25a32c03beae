// A list imported with `type: "text"` is its text.

declare module "*.txt" {
  const text: string;
  export default text;
}
