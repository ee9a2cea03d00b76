#include "regex_property.h"

#include <algorithm>
#include <array>

namespace squall::schema {
namespace {

struct Category {
  std::string_view name;
  std::string_view code;
};

// ECMA-262 table 70, the long names and aliases of General_Category. The codes are their own names.
constexpr std::array kCategories = {
    Category{"Cased_Letter", "L&"},
    Category{"LC", "L&"},
    Category{"Close_Punctuation", "Pe"},
    Category{"Connector_Punctuation", "Pc"},
    Category{"Control", "Cc"},
    Category{"cntrl", "Cc"},
    Category{"Currency_Symbol", "Sc"},
    Category{"Dash_Punctuation", "Pd"},
    Category{"Decimal_Number", "Nd"},
    Category{"digit", "Nd"},
    Category{"Enclosing_Mark", "Me"},
    Category{"Final_Punctuation", "Pf"},
    Category{"Format", "Cf"},
    Category{"Initial_Punctuation", "Pi"},
    Category{"Letter", "L"},
    Category{"Letter_Number", "Nl"},
    Category{"Line_Separator", "Zl"},
    Category{"Lowercase_Letter", "Ll"},
    Category{"Mark", "M"},
    Category{"Combining_Mark", "M"},
    Category{"Math_Symbol", "Sm"},
    Category{"Modifier_Letter", "Lm"},
    Category{"Modifier_Symbol", "Sk"},
    Category{"Nonspacing_Mark", "Mn"},
    Category{"Number", "N"},
    Category{"Open_Punctuation", "Ps"},
    Category{"Other", "C"},
    Category{"Other_Letter", "Lo"},
    Category{"Other_Number", "No"},
    Category{"Other_Punctuation", "Po"},
    Category{"Other_Symbol", "So"},
    Category{"Paragraph_Separator", "Zp"},
    Category{"Private_Use", "Co"},
    Category{"Punctuation", "P"},
    Category{"punct", "P"},
    Category{"Separator", "Z"},
    Category{"Space_Separator", "Zs"},
    Category{"Spacing_Mark", "Mc"},
    Category{"Surrogate", "Cs"},
    Category{"Symbol", "S"},
    Category{"Titlecase_Letter", "Lt"},
    Category{"Unassigned", "Cn"},
    Category{"Uppercase_Letter", "Lu"},
};
constexpr std::string_view kCodes =
    " C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So "
    "Z Zl Zp Zs ";

// ECMA-262 table 69: the binary properties PCRE2 10.40 and later know by the same names.
constexpr std::string_view kBinaryProperties =
    " ASCII Any ASCII_Hex_Digit AHex Alphabetic Alpha Bidi_Control Bidi_C Bidi_Mirrored Bidi_M "
    "Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM "
    "Changes_When_Lowercased CWL Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash "
    "Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp "
    "Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres "
    "Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext "
    "Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS "
    "Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math "
    "Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS "
    "Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD "
    "Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS "
    "White_Space space XID_Continue XIDC XID_Start XIDS ";

bool is_listed(std::string_view list, std::string_view name) {
  return list.contains(" " + std::string(name) + " ");
}

std::optional<std::string> category(std::string_view name) {
  if (is_listed(kCodes, name)) return std::string(name);
  const auto* found = std::ranges::find(kCategories, name, &Category::name);
  if (found == kCategories.end()) return std::nullopt;
  return std::string(found->code);
}

}  // namespace

std::optional<std::string> translate_property(std::string_view name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const std::size_t equals = std::min(name.find('='), name.size());
  const std::string_view key = name.substr(0, equals);
  const std::string_view value = equals < name.size() ? name.substr(equals + 1) : "";
  if (key.empty() || !std::ranges::all_of(key, is_word)) return std::nullopt;
  if (equals == name.size()) {
    if (const auto code = category(key)) return code;
    if (is_listed(kBinaryProperties, key)) return std::string(key);
    return std::nullopt;
  }
  if (value.empty() || !std::ranges::all_of(value, is_word)) return std::nullopt;
  if (key == "General_Category" || key == "gc") return category(value);
  // PCRE2 itself refuses the scripts it does not know.
  if (key == "Script" || key == "sc") return "sc:" + std::string(value);
  if (key == "Script_Extensions" || key == "scx") return "scx:" + std::string(value);
  return std::nullopt;
}

}  // namespace squall::schema
