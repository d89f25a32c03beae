// A file imported with `type: "text"` is its text.

declare module "#sandbox/suite/*.js" {
  const text: string;
  export default text;
}

declare module "*.py" {
  const text: string;
  export default text;
}
