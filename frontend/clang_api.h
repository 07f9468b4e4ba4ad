/* Clang API: what we use of libclang's C interface, declared by ourselves, so that neither building
 * nor installing takes its development package: 300 MB for one header. The interface is stable by
 * promise (a number or a struct never changes, only new ones come); declared here are the types and
 * the numbers, in clang_api.def the functions. tests/lint/test_clang.sh compares all of them with
 * clang-c/Index.h where that is installed. A number that is needed and missing: add it here. */
#ifndef SQ_FRONTEND_CLANG_API_H
#define SQ_FRONTEND_CLANG_API_H
#include <stddef.h>

/* clang-format off */
/* Numbers are in groups, of which only the first is fixed: declarations below 100, expressions from
 * 100, statements from 200, the unit at 350, attributes from 400, preprocessing from 500. */
enum CXCursorKind {
    CXCursor_StructDecl = 2, CXCursor_UnionDecl = 3, CXCursor_EnumDecl = 5, CXCursor_FieldDecl = 6,
    CXCursor_EnumConstantDecl = 7, CXCursor_FunctionDecl = 8, CXCursor_VarDecl = 9,
    CXCursor_ParmDecl = 10, CXCursor_TypedefDecl = 20, CXCursor_TypeRef = 43, CXCursor_FirstExpr = 100,
    CXCursor_UnexposedExpr = 100, CXCursor_DeclRefExpr = 101, CXCursor_MemberRefExpr = 102, CXCursor_CallExpr = 103,
    CXCursor_IntegerLiteral = 106, CXCursor_FloatingLiteral = 107, CXCursor_CharacterLiteral = 110,
    CXCursor_ParenExpr = 111, CXCursor_UnaryOperator = 112, CXCursor_ArraySubscriptExpr = 113,
    CXCursor_BinaryOperator = 114, CXCursor_CompoundAssignOperator = 115,
    CXCursor_ConditionalOperator = 116, CXCursor_CStyleCastExpr = 117,
    CXCursor_CompoundLiteralExpr = 118, CXCursor_InitListExpr = 119, CXCursor_StmtExpr = 121,
    CXCursor_GenericSelectionExpr = 122,
    CXCursor_UnaryExpr = 136,
    CXCursor_FirstStmt = 200, CXCursor_UnexposedStmt = 200, CXCursor_LabelStmt = 201,
    CXCursor_CompoundStmt = 202, CXCursor_CaseStmt = 203, CXCursor_DefaultStmt = 204,
    CXCursor_IfStmt = 205, CXCursor_SwitchStmt = 206, CXCursor_WhileStmt = 207,
    CXCursor_DoStmt = 208, CXCursor_ForStmt = 209, CXCursor_GotoStmt = 210,
    CXCursor_IndirectGotoStmt = 211, CXCursor_ContinueStmt = 212, CXCursor_BreakStmt = 213,
    CXCursor_ReturnStmt = 214, CXCursor_GCCAsmStmt = 215, CXCursor_MSAsmStmt = 229,
    CXCursor_NullStmt = 230, CXCursor_DeclStmt = 231, CXCursor_TranslationUnit = 350,
    CXCursor_FirstAttr = 400, CXCursor_AnnotateAttr = 406, CXCursor_LastAttr = 441,
    CXCursor_FirstPreprocessing = 500, CXCursor_MacroDefinition = 501, CXCursor_MacroExpansion = 502,
    CXCursor_StaticAssert = 602,
};
enum CXTypeKind {
    CXType_Invalid = 0, CXType_Void = 2, CXType_Bool = 3, CXType_Char_U = 4, CXType_UChar = 5,
    CXType_UShort = 8, CXType_UInt = 9,
    CXType_ULong = 10, CXType_ULongLong = 11, CXType_Char_S = 13, CXType_SChar = 14,
    CXType_Short = 16, CXType_Int = 17, CXType_Long = 18, CXType_LongLong = 19, CXType_Float = 21,
    CXType_Double = 22, CXType_LongDouble = 23, CXType_Float16 = 32, CXType_Complex = 100, CXType_Pointer = 101,
    CXType_Record = 105, CXType_Enum = 106,
    CXType_FunctionNoProto = 110, CXType_FunctionProto = 111, CXType_IncompleteArray = 114, CXType_Atomic = 177,
};
enum CX_StorageClass {
    CX_SC_Extern = 2, CX_SC_Static = 3, CX_SC_Register = 7,
};
enum CXLinkageKind {
    CXLinkage_NoLinkage = 1, CXLinkage_Internal = 2,
};
enum CXBinaryOperatorKind {
    CXBinaryOperator_Invalid = 0, CXBinaryOperator_Mul = 3, CXBinaryOperator_Div = 4,
    CXBinaryOperator_Rem = 5, CXBinaryOperator_Add = 6, CXBinaryOperator_Sub = 7,
    CXBinaryOperator_Shl = 8, CXBinaryOperator_Shr = 9, CXBinaryOperator_LT = 11,
    CXBinaryOperator_GT = 12, CXBinaryOperator_LE = 13, CXBinaryOperator_GE = 14,
    CXBinaryOperator_EQ = 15, CXBinaryOperator_NE = 16, CXBinaryOperator_And = 17,
    CXBinaryOperator_Xor = 18, CXBinaryOperator_Or = 19, CXBinaryOperator_LAnd = 20,
    CXBinaryOperator_LOr = 21, CXBinaryOperator_Assign = 22, CXBinaryOperator_MulAssign = 23,
    CXBinaryOperator_DivAssign = 24, CXBinaryOperator_RemAssign = 25,
    CXBinaryOperator_AddAssign = 26, CXBinaryOperator_SubAssign = 27,
    CXBinaryOperator_ShlAssign = 28, CXBinaryOperator_ShrAssign = 29,
    CXBinaryOperator_AndAssign = 30, CXBinaryOperator_XorAssign = 31,
    CXBinaryOperator_OrAssign = 32, CXBinaryOperator_Comma = 33,
};
enum CXUnaryOperatorKind {
    CXUnaryOperator_PostInc = 1, CXUnaryOperator_PostDec = 2, CXUnaryOperator_PreInc = 3,
    CXUnaryOperator_PreDec = 4, CXUnaryOperator_AddrOf = 5, CXUnaryOperator_Deref = 6,
    CXUnaryOperator_Plus = 7, CXUnaryOperator_Minus = 8, CXUnaryOperator_Not = 9,
    CXUnaryOperator_LNot = 10, CXUnaryOperator_Real = 11, CXUnaryOperator_Imag = 12,
};
enum CXDiagnosticSeverity {
    CXDiagnostic_Warning = 2, CXDiagnostic_Error = 3,
};
enum CXErrorCode {
    CXError_Success = 0,
};
enum CXTranslationUnit_Flags {
    CXTranslationUnit_DetailedPreprocessingRecord = 1,
};
enum CXChildVisitResult {
    CXChildVisit_Break = 0, CXChildVisit_Continue = 1, CXChildVisit_Recurse = 2,
};
typedef enum {
    CXEval_Int = 1, CXEval_Float = 2,
} CXEvalResultKind;
/* clang-format on */

typedef void *CXIndex, *CXFile, *CXClientData, *CXDiagnostic, *CXDiagnosticSet, *CXEvalResult,
    *CXPrintingPolicy;
typedef struct CXTranslationUnitImpl *CXTranslationUnit;

typedef struct {
    const void *data;
    unsigned private_flags;
} CXString;

typedef struct {
    const void *ptr_data[2];
    unsigned int_data;
} CXSourceLocation;

typedef struct {
    const void *ptr_data[2];
    unsigned begin_int_data, end_int_data;
} CXSourceRange;

typedef struct {
    unsigned count;
    CXSourceRange *ranges;
} CXSourceRangeList;

typedef struct {
    enum CXCursorKind kind;
    int xdata;
    const void *data[3];
} CXCursor;

typedef struct {
    enum CXTypeKind kind;
    void *data[2];
} CXType;

struct CXUnsavedFile {
    const char *Filename, *Contents;
    unsigned long Length;
};

typedef enum CXChildVisitResult (*CXCursorVisitor)(CXCursor c, CXCursor parent, CXClientData user);
typedef void (*CXInclusionVisitor)(CXFile file, CXSourceLocation *stack, unsigned n,
                                   CXClientData user);
#endif
