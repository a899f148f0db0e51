// What `import Combine` shows on Linux: OpenCombine, with its conformances of Dispatch and Foundation, and what it lacks.
#if Combine
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
#endif
